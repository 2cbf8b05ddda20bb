"""Ready-made specs for kinds of source that are met often, as TOML; see `discover.preset`."""
