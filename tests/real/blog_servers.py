"""WordPress behind PHP's own server, with its own MariaDB.

A context manager that yields the address of its home page, like those in `servers`.
"""

import getpass
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from tests.real.servers import (
    SECONDS_TO_START,
    Missing,
    Texts,
    free_port,
    program,
    run_once,
    running,
)

CODE = Path("/usr/share/wordpress")
CONFIG = """<?php
define('DB_NAME', 'wordpress'); define('DB_USER', '{user}'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:{socket}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '{home}'); define('WP_SITEURL', '{home}'); define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $each) {{
  define($each . '_KEY', 'longline'); define($each . '_SALT', 'longline');
}}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
INSTALL = """<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require __DIR__ . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
function wp_mail() { return true; }
wp_install('Packages', 'keeper', 'keeper@example.org', true, '', 'longline-test-1', 'en_US');
foreach (get_posts(['numberposts' => -1, 'post_type' => 'any']) as $post) {
  wp_delete_post($post->ID, true);
}
$texts = json_decode(file_get_contents($argv[1]), true);
$day = '2026-01-01 00:00:00';
$wpdb->query('start transaction');
foreach ($texts as [$key, $title, $text]) {
  $wpdb->insert($wpdb->posts, [
    'post_author' => 1, 'post_date' => $day, 'post_date_gmt' => $day,
    'post_modified' => $day, 'post_modified_gmt' => $day,
    'post_content' => $text, 'post_title' => $title, 'post_name' => sanitize_title($key),
    'post_status' => 'publish', 'post_type' => 'post', 'post_excerpt' => '', 'to_ping' => '',
    'pinged' => '', 'post_content_filtered' => '',
  ]);
}
$wpdb->query('commit');
"""


@contextmanager
def wordpress(texts: Texts, folder: Path) -> Iterator[str]:
    """Run WordPress, whose home page announces its REST interface."""
    php = program("php")
    if not (CODE / "wp-settings.php").exists():
        raise Missing("wordpress is not installed")
    port = free_port()
    home = f"http://127.0.0.1:{port}"
    site = folder / "site"
    shutil.copytree(CODE, site, symlinks=False, ignore_dangling_symlinks=True)
    with _mariadb(folder) as (socket, user):
        config = CONFIG.format(user=user, socket=socket, home=home)
        (site / "wp-config.php").unlink(missing_ok=True)
        (site / "wp-config.php").write_text(config)
        (site / "fill.php").write_text(INSTALL)
        (folder / "texts.json").write_bytes(msgspec.json.encode(texts))
        run_once([php, str(site / "fill.php"), str(folder / "texts.json")], cwd=site)
        (site / "fill.php").unlink()
        command = [php, "-S", f"127.0.0.1:{port}", "-t", str(site)]
        with running(command, f"{home}/", folder, PHP_CLI_SERVER_WORKERS="4") as url:
            yield url


@contextmanager
def _mariadb(folder: Path) -> Iterator[tuple[Path, str]]:
    """Run a MariaDB that listens only on a socket; yield the socket and its user."""
    install, serve = program("mariadb-install-db"), program("mariadbd")
    data, socket = folder / "data", folder / "s"
    user = getpass.getuser()
    as_user = [f"--user={user}", f"--datadir={data}"]
    run_once([install, "--no-defaults", *as_user, "--auth-root-authentication-method=normal"])
    command = [serve, "--no-defaults", *as_user, f"--socket={socket}", "--skip-networking"]
    with (folder / "mariadb.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        ask = [program("mariadb"), "--no-defaults", f"--socket={socket}", "-u", "root", "-e"]
        until = time.monotonic() + SECONDS_TO_START
        while subprocess.run([*ask, "select 1"], capture_output=True, check=False).returncode:
            if time.monotonic() > until or server.poll() is not None:
                raise RuntimeError((folder / "mariadb.log").read_text()[-500:])
            time.sleep(0.2)
        run_once([*ask, "create database wordpress character set utf8mb4"])
        yield socket, "root"
    finally:
        server.terminate()
        server.wait(20)
