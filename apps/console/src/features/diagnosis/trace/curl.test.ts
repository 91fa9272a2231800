import { describe, expect, it } from 'vitest';
import { parseCurl } from './curl';

function read(text: string) {
  const result = parseCurl(text);
  if (!result.ok) throw new Error(result.fault);
  const { request } = result;
  return { ...request, headers: request.headers.map(({ name, value }) => `${name}: ${value}`) };
}

describe('a curl command', () => {
  it('of an address alone is a GET over http, as curl guesses it', () => {
    expect(read('curl www.example.com/a?b=c')).toMatchObject({ method: 'GET', url: 'http://www.example.com/a?b=c' });
    expect(read('  $ curl   https://www.example.com ')).toMatchObject({ url: 'https://www.example.com' });
  });

  it('keeps what quotes hold together, of either kind, and in parts', () => {
    expect(read(`curl "https://e.test/a b" -H 'X-A: it"s'`)).toMatchObject({
      url: 'https://e.test/a b',
      headers: ['X-A: it"s'],
    });
    expect(read(`curl 'https://e.test/'"x"y -H "X-B: say \\"hi\\" \\$1"`)).toMatchObject({
      url: 'https://e.test/xy',
      headers: ['X-B: say "hi" $1'],
    });
    expect(read(`curl https://e.test/\\?a=1\\&b=2`).url).toBe('https://e.test/?a=1&b=2');
  });

  it('goes on over lines', () => {
    expect(read("curl 'https://e.test/' \\\n  -H 'accept: */*' \\\r\n  -X DELETE")).toMatchObject({
      method: 'DELETE',
      headers: ['accept: */*'],
    });
  });

  it("reads Bash's $'…' with its escapes", () => {
    expect(read(String.raw`curl https://e.test -H $'X-Name: it\'s \u00fc\x41\101 \\ ok'`).headers).toEqual([
      "X-Name: it's üAA \\ ok",
    ]);
  });

  it('reads what browsers copy for Windows', () => {
    const text = [
      'curl ^"https://e.test/a?b=1^&c=2^" ^',
      '  -H ^"accept: text/html^" ^',
      '  -H ^"x-quoted: say ^\\^"hi^\\^"^" ^',
      '  --data-raw ^"^{^\\^"a^\\^":1^}^"',
    ].join('\r\n');
    expect(read(text)).toMatchObject({
      method: 'POST',
      url: 'https://e.test/a?b=1&c=2',
      headers: expect.arrayContaining(['accept: text/html', 'x-quoted: say "hi"']),
      hasBody: true,
    });
  });

  it('with data is a POST of a form, unless told otherwise', () => {
    expect(read('curl e.test -d a=1 -d b=2')).toMatchObject({
      method: 'POST',
      hasBody: true,
      headers: ['Content-Type: application/x-www-form-urlencoded'],
    });
    expect(read("curl e.test --data-raw '{}' -H 'content-type: application/json' -X PUT")).toMatchObject({
      method: 'PUT',
      headers: ['content-type: application/json'],
    });
    expect(read("curl e.test --json '{}'").headers).toEqual([
      'Content-Type: application/json',
      'Accept: application/json',
    ]);
    expect(read('curl -G e.test/s?x=1#f -d a=1 --data-urlencode b=2')).toMatchObject({
      method: 'GET',
      url: 'http://e.test/s?x=1&a=1&b=2#f',
      hasBody: false,
    });
    expect(read('curl -T file e.test')).toMatchObject({ method: 'PUT', hasBody: true });
  });

  it('knows the options that make header fields', () => {
    expect(
      read("curl -A 'Agent/1 (x)' -b 'a=1; b=2' -e https://r.test/ -u me:päss --compressed e.test").headers,
    ).toEqual([
      'User-Agent: Agent/1 (x)',
      'Cookie: a=1; b=2',
      'Referer: https://r.test/',
      'Authorization: Basic bWU6cMOkc3M=',
      'Accept-Encoding: deflate, gzip, br, zstd',
    ]);
    expect(read("curl e.test -H 'X-Empty;' -H 'Accept:' -H'X-Near:1'").headers).toEqual(['X-Empty: ', 'X-Near: 1']);
  });

  it('is read with joined switches and their values', () => {
    expect(read('curl -sSLXPOST -kI e.test')).toMatchObject({ method: 'POST', ignored: ['-s', '-S', '-L', '-k'] });
    expect(read('curl -I e.test').method).toBe('HEAD');
  });

  it('leaves out what says nothing about the request, with its value', () => {
    expect(
      read("curl --resolve 'e.test:443:198.41.0.4' -o out.html --max-time 3 -b jar.txt -m 5 https://e.test/x"),
    ).toMatchObject({
      url: 'https://e.test/x',
      headers: [],
      ignored: ['--resolve', '-o', '--max-time', '-b', '-m'],
    });
    expect(read('curl --url https://e.test/1 https://e.test/2').url).toBe('https://e.test/1');
    expect(read('curl -- -strange.test').url).toBe('http://-strange.test');
  });

  it.each(['$ curl https://e.test/x', '/curl https://e.test/x'])('is one behind what stands before it: %s', (text) => {
    expect(read(text).url).toBe('https://e.test/x');
  });

  it.each([
    ['/curl', 'not_curl'],
    ['wget https://e.test', 'not_curl'],
    ['curling https://e.test', 'not_curl'],
    ["curl 'https://e.test", 'open_quote'],
    ["curl e.test -H $'open", 'open_quote'],
    ['curl -H "a: b"', 'no_url'],
    ['curl', 'no_url'],
  ])('that is none says why: %s', (text, fault) => {
    expect(parseCurl(text)).toEqual({ ok: false, fault });
  });
});

it('leaves the method as it is written: methods are case-sensitive', () => {
  expect(read('curl -X get e.test')).toMatchObject({ method: 'get' });
});
