"""What a club runs is pinned, watched, and not root's; its proxy leads a game to one server."""

import ipaddress
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.benchmarks.club_parts import proxy_configuration

ROOT = Path(__file__).parents[1]
COMPOSED = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_every_image_has_its_version() -> None:
    images = [one["image"] for one in COMPOSED["services"].values()]
    images += re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(images) > 5
    assert all(re.search(r":\d+\.\d+(\.\d+)?(-\w+)*$", image) for image in images), images


def test_what_others_wait_for_says_how_it_is() -> None:
    services = COMPOSED["services"]
    awaited = {name for one in services.values() for name in one.get("depends_on", ())}
    own = 'CMD ["python", "-c", "import urllib' in DOCKERFILE and "HEALTHCHECK" in DOCKERFILE
    assert own and awaited == {"web1", "web2", "postgresql", "redis", "scheduler"}
    for name in awaited:
        assert "healthcheck" in services[name] or services[name]["image"].startswith("stargazer")


def test_compose_up_can_wait_for_every_service() -> None:
    checks = [one.get("healthcheck", {}) for one in COMPOSED["services"].values()]
    assert not any(check.get("disable") for check in checks), "`--wait` fails without a check"
    assert "-h" in COMPOSED["services"]["postgresql"]["healthcheck"]["test"], (
        "healthy before the database is set up"
    )


def test_fixed_addresses_are_outside_the_range_of_dynamic_ones() -> None:
    networks = [one["networks"] for one in COMPOSED["services"].values()]
    fixed = [of["club"]["ipv4_address"] for of in networks if isinstance(of, dict)]
    (pool,) = COMPOSED["networks"]["club"]["ipam"]["config"]
    assert len(set(fixed)) == 3
    for address in map(ipaddress.ip_address, fixed):
        assert address in ipaddress.ip_network(pool["subnet"])
        assert address not in ipaddress.ip_network(pool.get("ip_range", pool["subnet"]))


def test_the_image_is_of_the_locked_set_and_not_roots() -> None:
    assert "--require-hashes -r /tmp/requirements.lock" in DOCKERFILE
    user = re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE)
    assert user == ["stargazer"] and DOCKERFILE.index("USER") < DOCKERFILE.index("ENTRYPOINT")


@pytest.mark.skipif(shutil.which("nginx") is None, reason="for lack of nginx")
def test_the_proxys_configuration_is_one(tmp_path: Path) -> None:
    written = tmp_path / "nginx.conf"
    written.write_text(proxy_configuration(8443, [8001, 8002], tmp_path))
    checked = subprocess.run(
        ["nginx", "-t", "-q", "-p", tmp_path, "-c", written], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stderr
    assert written.read_text().count("server 127.0.0.1:") == 2
