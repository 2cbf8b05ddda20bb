"""Commands in texts about a harvest."""

from longline.ledger.certificate import Certificate
from longline.text.addresses import is_private_host
from longline.text.safe import quoted


def allowed(certificate: Certificate) -> str:
    """Return the option, after a blank, that commands need for a source at a private address."""
    return " --allow-private" if is_private_host(certificate.source) else ""


def to_update(certificate: Certificate, folder: object) -> str:
    """Return the command that updates a harvest, or continues its update."""
    return f"longline update {quoted(folder)}{allowed(certificate)}"


def in_folder(text: str, certificate: Certificate, folder: object) -> str:
    """Return a text whose commands name the harvest's folder in place of DIR."""
    return text.replace("DIR`", f"{quoted(folder)}{allowed(certificate)}`")
