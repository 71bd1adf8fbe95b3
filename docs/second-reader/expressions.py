"""Expressions of a declaration (docs/sources.md, "How a value is found"), as functions of a row."""
import re
from values import WHITE, Unknown, is_integer, known, same, text_of

ENTITIES = {'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', 'apos': "'", 'nbsp': ' ', 'euro': '€', 'pound': '£',
            'yen': '¥', 'cent': '¢', 'dollar': '$'}
CLASSES = {'d': '0-9', 'w': 'A-Za-z0-9_', 's': re.escape(WHITE)}
DATE = {'Y': '(?P<Y>[0-9]{4})', 'M': '(?P<M>[0-9]{1,2})', 'D': '(?P<D>[0-9]{1,2})'}
MODIFIERS = ['when', 'where', 'take', 'split', 'item', 'none', 'replace', 'pattern', 'group', 'values', 'transform',
             'format', 'pad']
ORIGINS = ['path', 'use', 'const', 'join', 'with', 'first', 'lookup', 'key']


def escape_of(text, at, within):
    """What is behind a backslash at a place of a pattern, as Python writes it, and the place after it."""
    sign = text[at:at + 1]
    if sign in CLASSES:
        return CLASSES[sign] if within else f'[{CLASSES[sign]}]', at + 1
    if sign == 'k' and not within and text[at + 1:at + 2] == '<' and '>' in text[at:]:
        end = text.index('>', at)
        return f'(?P={text[at + 2:end]})', end + 1
    if sign and (sign in 'nrt' or not sign.isalnum()):
        return ('\\' + sign if sign in 'nrt' else re.escape(sign)), at + 1
    raise Unknown(f'the pattern `{text}`')


def pattern_of(text):
    """Makes a pattern of ECMAScript with the flag `u`, as declarations have them, one of Python."""
    out, at, within = '', 0, False
    while at < len(text):
        sign, at = text[at], at + 1
        if sign == '\\':
            escaped, at = escape_of(text, at, within)
            out += escaped
        elif within:
            within = sign != ']'
            out += '\\' + sign if sign in '[&~|' else sign
        elif sign == '[':
            within = True
            if text[at:at + 1] == ']' or text[at:at + 2] == '^]':
                raise Unknown(f'the pattern `{text}`')
            out += sign
        elif sign == '(' and re.match(r'\?<[^=!]', text[at:]):
            out, at = out + '(?P<', at + 2
        elif sign == '(' and re.match(r'\?(?![:=!<])', text[at:]):
            raise Unknown(f'the pattern `{text}`')
        else:
            out += {'.': '[^\n\r\u2028\u2029]', '$': '\\Z'}.get(sign, sign)
    try:
        return re.compile(out)
    except re.error:
        raise Unknown(f'the pattern `{text}`') from None


def cut(text, separators):
    parts = [text]
    for separator in separators:
        parts = [piece for part in parts for piece in part.split(separator)]
    return [part.strip(WHITE) for part in parts if part.strip(WHITE)]


def entity(found):
    decimal, hexadecimal, name = found.groups()
    if name:
        return ENTITIES.get(name.lower(), found[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code <= 0x10ffff else found[0]


TEXTS = {
    'lower': str.lower,
    'upper': str.upper,
    'trim': lambda text: re.sub('[ \t\r\n]+', ' ', text.strip(WHITE)),
    'unescape': lambda text: re.sub('&(?:#([0-9]{1,6})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]+));', entity, text),
    'strip_tags': lambda text: re.sub('</?[A-Za-z][^<>]*>', ' ', text),
}


def transformed(name, value):
    if name == 'integer':
        if isinstance(value, str):
            return int(value) if re.fullmatch('-?[0-9]{1,15}', value) else None
        return value if is_integer(value) else None
    if name == 'list':
        return value if isinstance(value, list) else [value]
    return TEXTS[name](value) if isinstance(value, str) else value


def dated(form, value):
    found = re.fullmatch(''.join(DATE.get(sign, re.escape(sign)) for sign in form), text_of(value).strip(WHITE))
    return f"{found['Y']}-{found['M']:0>2}-{found['D']:0>2}" if found else value


def path_of(path):
    steps = path.split('.') if isinstance(path, str) else path

    def read(scope):
        value = scope
        for step in steps:
            if isinstance(value, list):
                value = value[int(step)] if re.fullmatch('[0-9]+', step) and int(step) < len(value) else None
            else:
                value = value.get(step) if isinstance(value, dict) else None
        return value
    return read


def member_where(value, wanted, take):
    for row in value if isinstance(value, list) else []:
        if isinstance(row, dict) and all(name in row and same(row[name], one) for name, one in wanted.items()):
            return row.get(take)
    return None


def steps_of(given):
    """The changes of a value or of each member of a list, in the order in which they work."""
    steps = []
    if 'none' in given:
        steps.append(lambda value: None if any(same(value, one) for one in given['none']) else value)
    for old, new in given.get('replace', {}).items():
        steps.append(lambda value, old=old, new=new: text_of(value).replace(old, new))
    if 'pattern' in given:
        search = pattern_of(given['pattern']).search
        steps.append(lambda value: (search(text_of(value)) or {given['group']: None})[given['group']])
    if 'values' in given:
        steps.append(lambda value: given['values'].get(text_of(value), value))
    known(given.get('transform', []), [*TEXTS, 'integer', 'list'], 'the transform')
    for name in given.get('transform', []):
        steps.append(lambda value, name=name: transformed(name, value))
    if 'format' in given:
        steps.append(lambda value: dated(given['format'], value))
    if 'pad' in given:
        is_number = re.compile('[0-9]+').fullmatch
        steps.append(lambda value: text_of(value).zfill(given['pad']) if is_number(text_of(value)) else value)
    return steps


def in_turn(steps):
    def change(value):
        for step in steps:
            value = None if value is None else step(value)
        return value
    return change


def change_of(given):
    one = in_turn(steps_of(given))
    # The transform `list` leaves a list as it is.
    of_each = [name for name in given.get('transform', []) if name != 'list']
    of_member = in_turn(steps_of({**given, 'transform': of_each}))

    def change(value):
        if 'where' in given:
            value = member_where(value, given['where'], given['take'])
        if 'split' in given and value is not None:
            value = cut(text_of(value), given['split'])
        if 'item' in given and isinstance(value, list):
            value = value[given['item']] if -len(value) <= given['item'] < len(value) else None
        if isinstance(value, list):
            return [member for member in map(of_member, value) if member is not None] or None
        return one(value)
    return change


class Expressions:
    """Makes functions of a row from expressions, with the tables and the named expressions of a declaration."""

    def __init__(self, tables=None, named=None):
        self.tables, self.named = tables or {}, named or {}

    def read(self, expression):
        if expression is None:
            return lambda scope: None
        if not isinstance(expression, dict):
            return path_of(expression)
        known(expression, MODIFIERS + ORIGINS, 'the member of an expression')
        origin, change = self.origin(expression), change_of(expression)
        if 'when' not in expression:
            return lambda scope: change(origin(scope))
        condition, allowed = self.read(expression['when']['value']), expression['when']['is']

        def conditional(scope):
            found = condition(scope)
            return change(origin(scope)) if any(same(found, one) for one in allowed) else None
        return conditional

    def origin(self, given):
        if 'lookup' in given:
            table, key, path = self.tables[given['lookup']], self.read(given['key']), path_of(given['path'])
            return lambda scope: path(table.get(text_of(key(scope)), {}))
        if 'path' in given:
            return path_of(given['path'])
        if 'const' in given:
            return lambda scope: given['const']
        if 'use' in given:
            return self.read(self.named[given['use']])
        if 'join' in given:
            return self.joined([self.read(one) for one in given['join']], given['with'])
        if 'first' in given:
            choices = [self.read(one) for one in given['first']]
            return lambda scope: next(filter(lambda value: value is not None, (one(scope) for one in choices)), None)
        raise Unknown('an expression without an origin')

    @staticmethod
    def joined(members, between):
        def join(scope):
            values = [member(scope) for member in members]
            flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
            texts = [text_of(one).strip(WHITE) for one in flat if isinstance(one, (str, bool, int, float))]
            return between.join(texts) if texts else None
        return join
