"""What all parts need: texts of values, and what is kept of a value (docs/sources.md, "What is kept of a value")."""
import re, unicodedata

# White space of ECMAScript, which is that of Unicode and the byte order mark.
WHITE = '\t\n\v\f\r \u00a0\u1680' + ''.join(map(chr, range(0x2000, 0x200b))) + '\u2028\u2029\u202f\u205f\u3000\ufeff'
MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']


class Unknown(Exception):
    """Something that cannot be read here, so that nothing is proved."""


def known(thing, names, what):
    for name in thing:
        if name not in names:
            raise Unknown(f'{what} `{name}`')


def same(a, b):
    """Whether two JSON values are equal. True is not 1; the order of the members of an object does not count."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def text_of(value):
    """A value as a text. Null, a list and an object have none."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (int, float)):
        if 'e' in repr(value):
            raise Unknown(f'the number {value!r}')
        return repr(value)
    return value if isinstance(value, str) else ''


def kept(value):
    """The text without white space at its edges, or null."""
    return text_of(value).strip(WHITE) or None


def kept_list(value):
    members = [kept(member) for member in (value if isinstance(value, list) else [value])]
    return [member for member in members if member is not None] or None


def is_tag(text):
    return re.fullmatch('[a-z]{2,3}(-[a-z0-9]{2,8})*', text) is not None


def kept_names(value):
    """Texts by language."""
    given = value.items() if isinstance(value, dict) else []
    return {tag.lower(): kept(text) for tag, text in given
            if isinstance(text, str) and kept(text) is not None and is_tag(tag.lower())} or None


def kept_count(value):
    return value if is_integer(value) and 0 <= value <= 9999 else None


def is_bare_number(text):
    plain = ''.join('0' if unicodedata.category(sign) == 'Nd' else sign for sign in unicodedata.normalize('NFKC', text))
    return re.fullmatch('#?[0-9]{5,}|[+~-]?[0-9]+[.,][0-9]+[*]?', plain) is not None


def is_allowed_member(value, rule):
    if 'values' in rule:
        return any(same(one, value) for one in rule['values'])
    if not isinstance(value, str):
        return rule.get('least', 0) <= value <= rule.get('most', value)
    if len(value.encode('utf-16-le')) // 2 > rule.get('longest', 60):
        return False
    return bool(rule['pattern'].search(value)) if 'pattern' in rule else not is_bare_number(value)


def is_allowed(value, rule, game):
    """Whether an attribute of a game may have a value: one of its types, each member within its bounds."""
    kind = next((kind for kind, of in (('list', list), ('text', str)) if isinstance(value, of)), None)
    kind = 'integer' if is_integer(value) else kind
    if game not in rule.get('games', [game]) or kind not in rule['types']:
        return False
    return all(is_allowed_member(one, rule) and not (kind == 'list' and is_bare_number(one))
               for one in (value if kind == 'list' else [value]))


def kept_attribute(value, rule, game):
    """The value of an attribute, or null where its declaration does not allow the value."""
    types = rule['types'] if rule else []
    if isinstance(value, list):
        members = kept_list(value) or []
        value = [one for at, one in enumerate(members) if not types or one not in members[:at]] or None
    elif isinstance(value, (str, dict)):
        text = kept(value)
        is_number = text is not None and re.fullmatch('0|-?[1-9][0-9]{0,14}', text)
        value = int(text) if is_number and 'integer' in types else text
    return value if value is None or not rule or is_allowed(value, rule, game) else None


DATES = [
    '(?P<Y>[0-9]{4})(?P<by>[-/.])(?P<M>[0-9]{1,2})(?P=by)(?P<D>[0-9]{1,2})([T ].*)?',
    '(?P<Y>[0-9]{4})(?P<M>[0-9]{2})(?P<D>[0-9]{2})([T ].*)?',
    '(?P<Y>[0-9]{4}) ?年 ?(?P<M>[0-9]{1,2}) ?月 ?(?P<D>[0-9]{1,2}) ?日',
    '(?P<D>[0-9]{1,2})[.] ?(?P<M>[0-9]{1,2})[.] ?(?P<Y>[0-9]{4})',
    '(?P<name>[A-Za-z]{3,9})[.]? (?P<D>[0-9]{1,2})(st|nd|rd|th)?,? (?P<Y>[0-9]{4})',
    '(?P<D>[0-9]{1,2})(st|nd|rd|th)?[.]? (?P<name>[A-Za-z]{3,9})[.]?,? (?P<Y>[0-9]{4})',
]


def is_day(year, month, day):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return year > 1000 and 1 <= month <= 12 and 1 <= day <= days[month - 1]


def kept_release(value):
    """The date of a release, and the text where it is no date."""
    text = kept(value)
    found = next(filter(None, (re.fullmatch(form, text) for form in DATES)), None) if text else None
    if found:
        parts = found.groupdict()
        start = (parts.get('name') or '')[:3].lower()
        month = int(parts['M']) if 'M' in parts else MONTHS.index(start) + 1 if start in MONTHS else 0
        if is_day(int(parts['Y']), month, int(parts['D'])):
            return f"{parts['Y']}-{month:02}-{int(parts['D']):02}", None
    return None, text
