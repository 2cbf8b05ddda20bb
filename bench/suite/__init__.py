"""A benchmark of harvesters: named tasks over limited and lying sites, rows, fields, honesty.

    python -m bench.suite.run --json results.json

A task is a web site on loopback whose truth is known. A harvester gets its address and a budget of
requests, and gives back rows and what it claims of them. To add one, write a class with `name` and
`harvest` (`bench.suite.harvesters.Harvester`) and name it: `--harvester mymodule:MyHarvester`.
"""
