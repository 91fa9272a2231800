import { fieldErrorsOf } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { headerList } from './header-list.ts';

const schema = z.strictObject({ headers: headerList(['location']) });

function faults(...headers: { name: unknown; value: unknown }[]): Record<string, string> {
  const parsed = schema.safeParse({ headers });
  return parsed.success ? {} : fieldErrorsOf(parsed.error).fields;
}

describe('a list of header fields', () => {
  it('keeps names as they were written, without space around', () =>
    expect(schema.parse({ headers: [{ name: ' X-My_1 ', value: ' a  b ' }] })).toEqual({
      headers: [{ name: 'X-My_1', value: 'a  b' }],
    }));

  it.each([
    ['', 'REQUIRED'],
    [undefined, 'REQUIRED'],
    ['X Name', 'HEADER_NAME_INVALID'],
    ['X-Name:', 'HEADER_NAME_INVALID'],
    ['X-Näme', 'HEADER_NAME_INVALID'],
    ['X-Name\r\nX-Other', 'HEADER_NAME_INVALID'],
    ['x'.repeat(65), 'TOO_LONG'],
    ['X-Forwarded-For', 'HEADER_FORBIDDEN'],
    ['Cordon-Country', 'HEADER_FORBIDDEN'],
    ['X-Accel-Redirect', 'HEADER_FORBIDDEN'],
    ['LOCATION', 'HEADER_FORBIDDEN'],
    ['X_Forwarded_For', 'HEADER_FORBIDDEN'],
    ['x-FORWARDED_for', 'HEADER_FORBIDDEN'],
    ['Cordon_Country', 'HEADER_FORBIDDEN'],
    ['CORDON_Origin-Key', 'HEADER_FORBIDDEN'],
    ['Transfer_Encoding', 'HEADER_FORBIDDEN'],
    ['content_LENGTH', 'HEADER_FORBIDDEN'],
  ])('refuses the name %j as %s', (name, code) =>
    expect(faults({ name, value: 'v' })).toEqual({ 'headers.0.name': code }),
  );

  it.each([
    ...['Connection', 'Keep-Alive', 'Proxy', 'Proxy-Connection', 'Proxy-Authenticate', 'Proxy-Authorization', 'TE'],
    ...['Trailer', 'Transfer-Encoding', 'Upgrade', 'HTTP2-Settings', 'Content-Length', 'Expect', 'Host', 'Forwarded'],
    ...['Via', 'CDN-Loop', 'X-Real-IP', 'X-Request-Id'],
  ])('lets no customer set %s, neither towards origins nor towards visitors', (name) => {
    for (const written of [name, name.toLowerCase(), name.replaceAll('-', '_')])
      expect(faults({ name: written, value: 'v' })).toEqual({ 'headers.0.name': 'HEADER_FORBIDDEN' });
  });

  it.each([
    ['', 'REQUIRED'],
    ['a\r\nX-Other: b', 'HEADER_VALUE_INVALID'],
    ['a\nb', 'HEADER_VALUE_INVALID'],
    ['a\u0000b', 'TEXT_INVALID'],
    ['你好', 'HEADER_VALUE_INVALID'],
    ['v'.repeat(1025), 'TOO_LONG'],
  ])('refuses the value %j as %s', (value, code) =>
    expect(faults({ name: 'X-A', value })).toEqual({ 'headers.0.value': code }),
  );

  it('refuses a name twice, in whatever case, at the second', () =>
    expect(faults({ name: 'X-A', value: '1' }, { name: 'x-a', value: '2' })).toEqual({
      'headers.1.name': 'DUPLICATE_ENTRY',
    }));

  it('refuses a name that origins cannot tell from another, at the second', () =>
    expect(faults({ name: 'X-My_A', value: '1' }, { name: 'x_my-a', value: '2' })).toEqual({
      'headers.1.name': 'DUPLICATE_ENTRY',
    }));

  it('refuses another list’s fields with underscores as well', () => {
    const own = z.strictObject({ headers: headerList(['set-cookie']) });
    const parsed = own.safeParse({ headers: [{ name: 'Set_Cookie', value: 'v' }] });
    expect(parsed.error && fieldErrorsOf(parsed.error).fields).toEqual({ 'headers.0.name': 'HEADER_FORBIDDEN' });
  });

  it('takes fifty and no more', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `X-${at}`, value: 'v' }));
    expect(faults(...many(50))).toEqual({});
    expect(faults(...many(51))).toEqual({ headers: 'TOO_MANY' });
  });

  it('takes what only another list forbids', () => expect(faults({ name: 'Range', value: 'v' })).toEqual({}));
});
