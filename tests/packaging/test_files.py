"""The files that others read: locks, workflows, the container, the citation, issue templates."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import longline

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def read(path: str) -> Any:
    """Return a YAML file; its key `on` is True there."""
    return yaml.safe_load((ROOT / path).read_text())


def pins(name: str) -> set[str]:
    """Return the versions that a lock file has."""
    return set(re.findall(r"^[\w.-]+==[^\s;]+", (ROOT / name).read_text(), re.M))


def test_the_everyday_install_is_part_of_the_whole() -> None:
    """Each package of everyday.lock has the same version in requirements.lock."""
    everyday = pins("everyday.lock")
    assert len(everyday) > 30
    assert everyday <= pins("requirements.lock")
    names = {pin.split("==")[0] for pin in everyday}
    needed = {re.split(r"[^\w-]", each)[0].lower() for each in PROJECT["dependencies"]}
    assert needed <= names
    assert not {"scipy", "pytest", "ruff", "playwright", "english-words"} & names


def test_all_has_every_extra() -> None:
    """`longline[all]` is every other extra."""
    extras = PROJECT["optional-dependencies"]
    named = re.fullmatch(r"longline\[(.*)\]", extras["all"][0])
    assert named is not None
    assert sorted(named[1].split(",")) == sorted(extras.keys() - {"all"})


@pytest.mark.parametrize("name", ["everyday.lock", "requirements.lock"])
def test_locks_name_no_host(name: str) -> None:
    """A lock says what is installed, by its hash, and not from where."""
    assert "://" not in (ROOT / name).read_text()


def test_changes_are_checked_by_what_runs_here() -> None:
    """The workflow for changes runs .ci/run, and may write nothing."""
    workflow = read(".github/workflows/ci.yml")
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert "bash .ci/run" in [step.get("run") for step in steps]
    assert workflow["permissions"] == {"contents": "read"}


def test_releases_are_switched_off_and_need_no_password() -> None:
    """Each job of a release waits for the variable; publishing is by identity."""
    workflow = read(".github/workflows/release.yml")
    jobs = workflow["jobs"]
    assert all(job["if"] == "vars.RELEASE == 'on'" for job in jobs.values())
    assert workflow["permissions"] == {"contents": "read"}
    publish = jobs["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == "build"
    assert publish["environment"]
    (step,) = [step for step in publish["steps"] if "pypi-publish" in step["uses"]]
    assert step["with"] == {"attestations": True}
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text()
    runs = " ".join(step.get("run", "") for step in jobs["build"]["steps"])
    for part in ("tests/packaging", "twine check --strict", "SOURCE_DATE_EPOCH"):
        assert part in runs


def test_the_release_workflow_reads_the_version() -> None:
    """What the workflow compares the tag with is the version of the package."""
    runs = (ROOT / ".github/workflows/release.yml").read_text()
    found = re.search(r"sed -n 's/(.*)\\\((.*)\\\)(.*)/\\1/p' (\S+)\)", runs)
    assert found is not None
    lines = (ROOT / found[4]).read_text().splitlines()
    matches = [re.match(f"{found[1]}({found[2]}){found[3]}", line) for line in lines]
    assert [match[1] for match in matches if match] == [longline.__version__]


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the container file and what follows each."""
    text = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def test_the_container_is_small_and_has_no_rights() -> None:
    """It is Python's slim image, installs by hashes, runs as a user, and is the command."""
    found = instructions()
    assert all("slim" in rest for name, rest in found if name == "FROM")
    last = found[max(place for place, (name, _) in enumerate(found) if name == "FROM") :]
    assert ("USER", "longline") in last
    assert ("ENTRYPOINT", '["longline"]') in last
    names = [name for name, _ in last]
    assert names.index("USER") > names.index("RUN")
    assert names.index("USER") < names.index("ENTRYPOINT")
    (run,) = [rest for name, rest in found if name == "RUN" and "pip install" in rest]
    installs = re.findall(r"pip install ([^&]*)", run)
    assert all("--require-hashes" in each or "--no-index" in each for each in installs)


def test_the_container_copies_what_is_there() -> None:
    """Each file that is copied from the checkout exists, and is all that the build reads."""
    copied = [rest.split() for name, rest in instructions() if name == "COPY"]
    files = {each for parts in copied if "--from" not in parts[0] for each in parts[:-1]}
    assert files
    assert all((ROOT / each).exists() for each in files)
    assert {"pyproject.toml", "README.md", "LICENSE", "src", "everyday.lock"} <= files


def test_the_citation_is_that_of_the_package() -> None:
    """CITATION.cff has what the format asks for, and the package's version and licence."""
    citation = read("CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["version"] == longline.__version__
    assert citation["license"] == PROJECT["license"]
    assert citation["title"] == PROJECT["name"]
    assert citation["keywords"] == PROJECT["keywords"]


@pytest.mark.parametrize("name", ["bug", "source"])
def test_issues_ask_for_the_doctor(name: str) -> None:
    """Both templates ask for the report of a harvest; every field has a name of its own."""
    template = read(f".github/ISSUE_TEMPLATE/{name}.yml")
    assert {"name", "description", "body"} <= template.keys()
    assert "longline doctor DIR" in str(template["body"])
    names = [field["id"] for field in template["body"]]
    assert len(set(names)) == len(names)
    assert all(field["attributes"]["label"] for field in template["body"])
