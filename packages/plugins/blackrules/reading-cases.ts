import {
  allowed,
  allows,
  blocked,
  blocks,
  both,
  type Case,
  type Config,
  type Part,
  passes,
  type Rule,
  rule,
  rules,
} from './case-parts.ts';

const sentArguments = (query: string): Case['request'] => ({ path: `/?${query}` });
const sentCookies = (cookies: string): Case['request'] => ({ headers: { Cookie: cookies } });

/** What some origins take for the argument or cookie `role` of the value `admin`, and others do not. */
const possibleArguments = [
  ...['role[]=admin', 'role[0]=admin', 'role%5B%5D=admin', 'role[a][b]=admin', '%20role=admin', '+role=admin'],
  ...[
    'role%20=admin',
    'role=%20admin',
    'role=admin+',
    'role=%0aadmin',
    'a=1;role=admin',
    'role=admin;a=1',
    ';role=admin',
  ],
  ...[
    'role=user&role=admin',
    'role=admin&role=user',
    'role=user&role[]=admin',
    'role%00x=admin',
    'role=x&role=admin%20',
  ],
  // What Express's qs and Rack 2 read as `role`.
  ...[
    '[role]=admin',
    '%5Brole%5D=admin',
    '[role]role=admin',
    '[role][x]=admin',
    'role]=admin',
    'role=user&[role]=admin',
  ],
  ...['role[x=y]=admin', 'role%5Bx=y%5D=admin', 'role=user&role%5bx=y%5d=admin', 'role[x%3Dy]=admin'],
  ...['%C2%A0role=admin', 'role%E2%80%83=admin', 'role=admin%E3%80%80', 'role=%EF%BB%BFadmin', 'role=%A0admin%85'],
  ...['role=%1Cadmin', '%1Frole=admin', 'role=%E2%80%A8%20admin', '%5B%C2%A0role%5D=admin'],
];
const possibleCookies = [
  ...['role="admin"', 'role="ad\\min"', 'role="\\141dmin"', 'role=%61dmin', 'role="%61dmin"', 'role=" admin "'],
  ...[
    'role =admin',
    '%72ole=admin',
    'role[]=admin',
    'role[0]=admin',
    'a=1,role=admin',
    'a=1 role=admin',
    'role=admin,a=1',
  ],
  ...['a="1; role=admin; b"', 'a="1; role=admin', 'role=user; role=admin', 'role=%20admin'],
  // Express's cookie-parser: JSON and signed values.
  ...[
    'role=j:"admin"',
    'role=j:"\\u0061dmin"',
    'role=j:%22admin%22',
    'role=j%3A%22\\u0061dmin%22',
    'role=s:admin.c2ln',
  ],
  ...['role=s%3Aj%3A%22admin%22.c2ln', 'role="adminX', 'role=\t"%61dminX; a=1'],
  // Blanks that Python and JavaScript know.
  ...['\xa0role=admin', 'a=1; role\x85=admin', 'role=\xa0admin', 'role=admin\x85; a=1', 'role=%E3%80%80admin'],
  ...['a=1 role =admin', 'a=1 role= admin', 'a=1 role = "admin" b=2', 'role= admin b'],
  ...['a="\\"; role=admin; b=2"', 'role=admin a=1', 'role=\t"admin" ; a=1', 'role=+admin'],
];
type Named = Extract<Part, { readonly field: 'argument' | 'cookie' }>;
const isAdmin = (field: Named['field'], not = false): Named =>
  ({ field, name: 'role', values: ['admin'], not }) as Named;
const lists = (count: number) => Array.from({ length: count }, (_, at) => `a[${at}]`).join('&');
const ofPossible = (field: 'argument' | 'cookie', request: Case['request'], written: string): Case[] => {
  const [is, not] = [isAdmin(field), isAdmin(field, true)];
  const turned = (action: Rule['action']): Config => rules(rule([{ not: true, conditions: [is] }], { action }));
  return [
    { name: `${written} may be ${field} role=admin: blocked`, config: blocks(is), request, expect: blocked() },
    { name: `${written} may be another: not let in`, config: allows(is), request, expect: passes },
    { name: `${written} may be another: blocked by not`, config: blocks(not), request, expect: blocked() },
    { name: `${written} may be it: not let in by not`, config: allows(not), request, expect: passes },
    { name: `${written}: blocked by a group turned round`, config: turned('block'), request, expect: blocked() },
    { name: `${written}: not let in by a group turned round`, config: turned('allow'), request, expect: passes },
  ];
};
const clear = (field: 'argument' | 'cookie', request: Case['request'], written: string): Case => ({
  name: `${written} is ${field} role=admin to all`,
  config: allows(isAdmin(field)),
  request,
  expect: allowed(),
});
const doubtful: Case['expect'] = { verdict: 'block', status: 403, reason: 'rule_in_doubt', rule: 'one' };
const doubted = (field: 'argument' | 'cookie', what: string, request: Case['request']): Case[] => [
  {
    name: `${what}: in doubt, blocked`,
    config: blocks(isAdmin(field)),
    request,
    expect: doubtful,
  },
  {
    name: `${what}: in doubt, not let in`,
    config: allows(isAdmin(field, true)),
    request,
    expect: passes,
  },
];

/** What origins do not agree on in cookies and arguments: what blocks is for any reading, what lets pass for all. */
export const readingCases: readonly Case[] = [
  ...possibleArguments.flatMap((query) => ofPossible('argument', sentArguments(query), `?${query}`)),
  ...possibleCookies.flatMap((cookies) => ofPossible('cookie', sentCookies(cookies), cookies)),
  ...[
    'role=admin',
    'a=1&role=admin&b',
    '%72ole=%61dmin',
    'a=1;b&role=admin',
    'role=admin&Role=user',
    '&&role=admin&',
  ].map((query) => clear('argument', sentArguments(query), `?${query}`)),
  ...['role=admin', 'a=1; role=admin;b=2', 'a="1"; role=admin', 'roles=user; role=admin', 'a=b c; role=admin'].map(
    (cookies) => clear('cookie', sentCookies(cookies), cookies),
  ),
  ...both(
    'a name with a dot as PHP has it',
    { field: 'argument', name: 'a_b', values: ['1'] },
    sentArguments('a.b=1'),
    sentArguments('a-b=1'),
  ),
  ...both(
    'a plus that may be a blank',
    { field: 'argument', name: 'q', values: ['a+b'] },
    sentArguments('q=a+b'),
    sentArguments('q=a%20b'),
  ),
  ...both(
    'arguments that some origins join',
    { field: 'argument', name: 'q', test: 'contains', values: ['union,select'] },
    sentArguments('q=union&q=select'),
    sentArguments('q=union&p=select'),
  ),
  ...both(
    'that a cookie exists that has no value',
    { field: 'cookie', name: 'debug', test: 'exists' },
    sentCookies('a=1; debug'),
    sentCookies('a=debug'),
  ),
  {
    name: 'a value in escapes is let in where all that origins take it for is listed',
    config: allows({ field: 'cookie', name: 'key', values: ['a%3D', 'a='] }),
    request: sentCookies('key=a%3D'),
    expect: allowed(),
  },
  {
    name: 'a name that is written as the rule has it is sure',
    config: allows({ field: 'argument', name: 'ids[]', values: ['1'] }),
    request: sentArguments('ids[]=1'),
    expect: allowed(),
  },
  ...doubted('argument', 'more odd names than any program sends', sentArguments(lists(751))),
  ...doubted('argument', 'more values than any program sends', sentArguments('role&'.repeat(2001))),
  ...doubted('cookie', 'more cookies of one name than any browser sends', sentCookies('role=;'.repeat(2001))),
  ...['j:["admin"]', 'j:%5B%22admin%22%5D', 'j:1', 'j:{"a":"\\u0061"}'].flatMap((value) =>
    doubted('cookie', `what Express takes ${value} for`, sentCookies(`role=${value}`)),
  ),
  {
    name: 'an object of Express is the text that it is sent as',
    config: blocks({ field: 'cookie', name: 'role', values: ['admin'] }),
    request: sentCookies('role=j:{"role":"user"}'),
    expect: passes,
  },
  {
    name: 'as many odd names as a program may send are looked at',
    config: blocks({ field: 'argument', name: 'role', values: ['admin'] }),
    request: sentArguments(lists(750)),
    expect: passes,
  },
];
