import { describe, expect, it } from 'vitest';
import { outputFormat, parseBodyInsert, quote, settingAssignments } from './statement.ts';

describe('parseBodyInsert', () => {
  it('reads table, columns, settings and format', () => {
    expect(parseBodyInsert('INSERT INTO cordon.access_log FORMAT JSONEachRow')).toEqual({
      table: 'cordon.access_log',
      columns: undefined,
      settings: '',
      format: 'JSONEachRow',
    });
    expect(parseBodyInsert("insert into `t` (`a`, b)\n SETTINGS x=1, y='2' FORMAT CSV;\n")).toEqual({
      table: 't',
      columns: ['a', 'b'],
      settings: "x=1, y='2'",
      format: 'CSV',
    });
  });

  it('leaves every other statement to the engine', () => {
    for (const statement of [
      'SELECT 1 FORMAT JSON',
      'INSERT INTO t VALUES (1)',
      'INSERT INTO t SELECT 1',
      "INSERT INTO FUNCTION file('x') FORMAT CSV",
      'INSERT INTO t FORMAT JSONEachRow {"a":1}',
    ]) {
      expect(parseBodyInsert(statement)).toBeUndefined();
    }
  });
});

describe('outputFormat', () => {
  it('finds the format at the end only', () => {
    expect(outputFormat('SELECT 1 FORMAT JSONEachRow')).toBe('JSONEachRow');
    expect(outputFormat('SELECT 1\nformat CSV;')).toBe('CSV');
    expect(outputFormat('SELECT 1 FORMAT JSON SETTINGS max_threads = 1')).toBe('JSON');
    expect(outputFormat("SELECT 'FORMAT CSV' AS x")).toBeUndefined();
  });
});

describe('settingAssignments', () => {
  it('quotes values so that none ends its literal', () => {
    expect(settingAssignments(new Map([['insert_deduplication_token', `a'b\\`]]))).toBe(
      `insert_deduplication_token = 'a\\'b\\\\'`,
    );
    expect(quote(`\\'`)).toBe(`'\\\\\\''`);
  });

  it('refuses a name that is no identifier: it comes from a URL', () => {
    expect(() => settingAssignments(new Map([['x = 1; DROP TABLE t; --', '1']]))).toThrow(RangeError);
  });
});
