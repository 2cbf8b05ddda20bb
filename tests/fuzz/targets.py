"""All fuzz targets."""

from tests.fuzz import (
    cells,
    charsets,
    codings,
    cookies,
    journal,
    links,
    pages,
    robots,
    sites,
    specs,
    totals,
    urls,
    waits,
)

MODULES = (
    specs,
    pages,
    totals,
    charsets,
    waits,
    cookies,
    robots,
    sites,
    codings,
    urls,
    links,
    journal,
    cells,
)
TARGETS = {module.TARGET.name: module.TARGET for module in MODULES}
SHARES = {
    "waits": 30,
    "cells": 25,
    "robots": 20,
    "totals": 15,
    "charsets": 10,
    "codings": 8,
    "pages": 8,
    "specs": 6,
    "urls": 6,
    "cookies": 6,
    "sites": 4,
    "links": 4,
    "journal": 1,
}
"""Shares of the cases of a complete run; slow targets get fewer."""
