"""That search as a web site.

Its modules are imported one by one: the libraries of the web server are slow to load.
"""
