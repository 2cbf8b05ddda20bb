"""A benchmark of harvesters: named tasks over limited and lying sites, rows, fields, honesty.

    python -m bench.suite.run --json results.json

A task is a web site on loopback with a known truth. A harvester gets its URL and a budget of
requests, and returns rows and claims about them. To add a harvester, write a class with `name` and
`harvest` (`bench.suite.harvesters.Harvester`) and name it: `--harvester mymodule:MyHarvester`.
"""
