"""Tables of SQLite databases, and sheets of workbooks (Office Open XML), as rows that are objects."""
import io, pathlib, re, sqlite3, zipfile
import xml.etree.ElementTree as tree
from values import Unknown

MAIN = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
RELATION = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id'
MOST = 2**28  # bytes of a part of a workbook
ALL = ("select name, type from sqlite_master where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\' "
       'order by name')


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def chosen(names, wanted, what):
    """The table that is named, or the only one."""
    if wanted is None and len(names) == 1:
        return names[0]
    if wanted not in names:
        raise Unknown(f'which {what} is meant')
    return wanted


def value_of(value):
    if isinstance(value, bytes):
        raise Unknown('bytes in a table')
    if isinstance(value, float):
        return None if value in (float('inf'), float('-inf')) else int(value) if value.is_integer() else value
    return str(value) if isinstance(value, int) and abs(value) >= 2**53 else value


def table_of(path, wanted):
    """The rows of a table, numbered from 1. Cells without a value are left out."""
    database = sqlite3.connect(pathlib.Path(path).absolute().as_uri() + '?mode=ro&immutable=1', uri=True)
    try:
        found = database.execute(ALL).fetchall()
        names = [name for name, _ in found] if wanted else [name for name, kind in found if kind == 'table']
        table = quoted(chosen(names, wanted, 'table'))
        info = database.execute(f'pragma table_xinfo({table})').fetchall()
        if any('BOOL' in column[2].upper() for column in info):
            raise Unknown('a column of truth values')
        names = [column[1] for column in info if column[6] != 1]
        rows = database.execute(f'select {", ".join(map(quoted, names))} from {table}').fetchall()
    except sqlite3.Error:
        raise ValueError('no database') from None
    finally:
        database.close()
    empty = [all(row[at] is None or isinstance(row[at], bytes) for row in rows) for at in range(len(names))]
    for at, row in enumerate(rows, 1):
        cells = [(name, value_of(cell)) for name, cell, gone in zip(names, row, empty) if not gone]
        yield at, {name: cell for name, cell in cells if cell is not None}


def part(archive, name):
    if archive.getinfo(name).file_size > MOST:
        raise Unknown('a workbook of that size')
    return tree.fromstring(archive.read(name))


def text_of(element):
    """The text of a string: its runs, without what is said of how it sounds."""
    return ''.join(one.text or '' for run in [element, *element.findall(MAIN + 'r')] for one in run.findall(MAIN + 't'))


def column_of(place):
    number = 0
    for letter in re.match('[A-Z]+', place).group():
        number = number * 26 + ord(letter) - 64
    return number - 1


def cell_of(cell, strings):
    """The value of a cell; a number may be a day, which only its style says."""
    kind, value = cell.get('t', 'n'), cell.find(MAIN + 'v')
    if kind == 'inlineStr':
        text = text_of(cell.find(MAIN + 'is'))
    elif value is None or value.text is None:
        return None
    elif kind == 'n':
        if cell.get('s', '0') != '0':
            raise Unknown('a number with a style in a workbook')
        return value_of(float(value.text))
    elif kind in ('b', 's', 'str'):
        text = value.text == '1' if kind == 'b' else strings[int(value.text)] if kind == 's' else value.text
    else:
        raise Unknown(f'a cell of the type `{kind}` in a workbook')
    return None if text == '' else text


def sheet_rows(data, wanted):
    """The rows of a sheet by their number. The first names the columns; of two with one name the first counts."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        targets = {one.get('Id'): one.get('Target') for one in part(archive, 'xl/_rels/workbook.xml.rels')}
        sheets = {one.get('name'): 'xl/' + targets[one.get(RELATION)].replace('/xl/', '')
                  for one in part(archive, 'xl/workbook.xml').iter(MAIN + 'sheet')}
        shared = 'xl/sharedStrings.xml'
        strings = [text_of(one) for one in part(archive, shared)] if shared in archive.namelist() else []
        name = chosen(list(sheets), wanted, 'sheet')
        rows = [(int(row.get('r')), {column_of(cell.get('r')): cell_of(cell, strings) for cell in row})
                for row in part(archive, sheets[name]).iter(MAIN + 'row')]
    names = {}
    for column, value in sorted(rows[0][1].items()) if rows else []:
        if str(value or '').strip():
            names.setdefault(str(value).strip(), column)
    for number, cells in rows[1:]:
        row = {name: cells.get(column) for name, column in names.items()}
        found = {name: value for name, value in row.items() if value is not None}
        if found:
            yield number, found
