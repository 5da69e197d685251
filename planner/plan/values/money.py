"""Amounts of money as people read them, in the currency of the plan."""

_SIGNS = {
    "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "KRW": "₩", "INR": "₹", "BRL": "R$", "ILS": "₪",
    "TRY": "₺", "UAH": "₴", "VND": "₫", "CAD": "CA$", "AUD": "A$", "NZD": "NZ$", "MXN": "MX$",
}  # fmt: skip

_LEAST = 0.00005
"""Less than this is shown as nothing."""


def currency_sign(currency: str) -> str:
    """The usual sign of a currency that is named by its code; others as they are."""
    return _SIGNS.get(currency.upper(), currency)


def same_currency(one: str, other: str) -> bool:
    """Whether a code or sign means the same as another one."""
    return one.upper() == other.upper() or (currency_sign(one) == currency_sign(other) and not _are_codes(one, other))


def money_text(amount: float, currency: str) -> str:
    """$5.94, €1,204, 12.50 CHF; small amounts keep four digits after the point. Signs stand in front, codes behind."""
    size = abs(amount)
    if size < _LEAST:
        size = amount = 0.0
    digits = 0 if size >= 1000 else 2 if size >= 0.1 or amount == 0.0 else 4
    return in_currency(f"{amount:,.{digits}f}", currency)


def in_currency(number: str, currency: str) -> str:
    """A number that is written already, with its currency."""
    sign = currency_sign(currency)
    if sign[-1:].isalpha():
        return f"{number} {sign}"
    return f"-{sign}{number[1:]}" if number.startswith("-") else f"{sign}{number}"


def _are_codes(one: str, other: str) -> bool:
    return one.upper() in _SIGNS and other.upper() in _SIGNS
