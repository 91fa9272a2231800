import { formatAddress, parseRange } from '@cordon/contract/address';
import type { TestAttack } from '@cordon/plugin-kit';
import { exampleOf, examplePathOf, sentPathOf } from '@cordon/plugin-kit/pattern-example';
import type { BlackrulesConfig, Condition, Group, Part } from './schema.ts';

interface Drawn {
  method?: string;
  path?: string;
  readonly query: string[];
  readonly headers: { name: string; value: string }[];
  readonly cookies: string[];
  address?: string;
  country?: string;
}

const isSendable = (value: string): boolean => /^[ -~]*$/.test(value) && value === value.trim();

/** A text that the condition holds for. Undefined: none is known. */
function textFor(condition: Extract<Condition, { test: string }>): string | undefined {
  if (condition.test === 'exists') return '1';
  return condition.test === 'matches' ? exampleOf(condition.pattern) : condition.values[0];
}

/** Makes the path one that the condition holds for. False: none is known. */
function drawPath(condition: Extract<Condition, { field: 'path' }>, drawn: Drawn): boolean {
  if (drawn.path !== undefined) return false;
  if (condition.test === 'matches') drawn.path = examplePathOf(condition.pattern);
  else {
    const [value = ''] = condition.values;
    const isWhole = condition.test === 'is' || condition.test === 'begins_with';
    drawn.path = sentPathOf(isWhole || value.startsWith('/') ? value : `/${value}`);
  }
  return drawn.path !== undefined;
}

function addHeader(drawn: Drawn, name: string, value: string | undefined): boolean {
  const isTaken = /^(cordon-|x-|host$|cookie$|connection$|content-|transfer-|te$|upgrade$|expect$)/i.test(name);
  if (value === undefined || isTaken || !isSendable(value) || !/^[A-Za-z0-9-]+$/.test(name)) return false;
  if (drawn.headers.some((one) => one.name.toLowerCase() === name.toLowerCase())) return false;
  drawn.headers.push({ name, value });
  return true;
}

/** Makes the request one that the condition holds for. False: none is known, or it is another already. */
function drawCondition(condition: Condition, drawn: Drawn): boolean {
  if (condition.not) return false;
  const { field } = condition;
  if (field === 'path') return drawPath(condition, drawn);
  if (field === 'method') {
    const isFree = drawn.method === undefined;
    drawn.method = condition.values.find((method) => ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method));
    return isFree && drawn.method !== undefined;
  }
  if (field === 'country') {
    const isFree = drawn.country === undefined;
    drawn.country = condition.values[0];
    return isFree;
  }
  if (field === 'address') {
    const range = parseRange(condition.values[0] ?? '');
    if (!range || drawn.address !== undefined) return false;
    drawn.address = formatAddress({ family: range.family, words: range.first });
    return true;
  }
  if (field === 'asn') return false;
  const text = textFor(condition);
  if (text === undefined) return false;
  if (field === 'user_agent') return addHeader(drawn, 'User-Agent', text);
  if (field === 'header') return addHeader(drawn, condition.name, text);
  if (field === 'cookie') {
    if (!isSendable(text) || !/^[A-Za-z0-9_-]+$/.test(condition.name) || /[;,"\\]/.test(text)) return false;
    drawn.cookies.push(`${condition.name}=${text}`);
    return true;
  }
  const query = encodeURIComponent(text);
  if (field === 'query' && drawn.query.length > 0) return false;
  drawn.query.push(field === 'query' ? query : `${encodeURIComponent(condition.name)}=${query}`);
  return true;
}

function drawGroup({ match, conditions, not }: Group, drawn: Drawn): boolean {
  if (not) return false;
  const draw = (part: Part) => ('conditions' in part ? drawGroup(part, drawn) : drawCondition(part, drawn));
  const [first] = conditions;
  return match === 'any' ? first !== undefined && draw(first) : conditions.every(draw);
}

/** What the rules that block or challenge are for, where a request can be drawn from their conditions. */
export function testAttacks({ black_rules: rules }: BlackrulesConfig): readonly TestAttack[] {
  return rules
    .filter(({ enabled, action }) => enabled && (action === 'block' || action === 'challenge'))
    .flatMap(({ name, when }): TestAttack[] => {
      const drawn: Drawn = { query: [], headers: [], cookies: [] };
      if (!drawGroup(when, drawn)) return [];
      const { method, address, country } = drawn;
      if (drawn.cookies.length > 0) drawn.headers.push({ name: 'Cookie', value: drawn.cookies.join('; ') });
      const target = `${drawn.path ?? '/'}${drawn.query.length > 0 ? `?${drawn.query.join('&')}` : ''}`;
      const request = { target, headers: drawn.headers, method, address, country };
      return [{ message: 'testAttacks.rule', params: { name }, request }];
    });
}
