"""The simulated search as a web site.

Its modules are imported one by one, because the web server's libraries are slow to load.
"""
