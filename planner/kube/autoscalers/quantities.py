"""Quantities as Kubernetes spells them (apimachinery, pkg/api/resource/quantity.go)."""


def canonical_quantity(milli: int, binary: bool = False) -> str:
    """A number of milli-units as Kubernetes writes it: "1263m", "2k"; with `binary`, "336Mi" when it is whole."""
    sign, amount = ("-", -milli) if milli < 0 else ("", milli)
    if amount == 0:
        return "0"
    if binary and amount % 1000 == 0 and amount // 1000 >= 1024:
        return sign + _scaled(amount // 1000, 1024, ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))
    return sign + _scaled(amount, 1000, ("m", "", "k", "M", "G", "T", "P", "E"))


def _scaled(amount: int, base: int, suffixes: tuple[str, ...]) -> str:
    step = 0
    while amount % base == 0 and step + 1 < len(suffixes):
        amount //= base
        step += 1
    return f"{amount}{suffixes[step]}"
