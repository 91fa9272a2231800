/**
 * Names of the arguments of an ICU message, those inside of its choices included. Throws an Error when braces do not
 * match or a choice has no `other`.
 */
export function messageArguments(message: string): Set<string> {
  const found = new Set<string>();
  const end = readText(message, 0, found, 0);
  if (end < message.length) throw new Error(`has a } too many at ${end}`);
  return found;
}

/** Reads text and arguments from `start` to the closing brace of its level, or to the end at level 0. */
function readText(message: string, start: number, found: Set<string>, level: number): number {
  let at = start;
  while (at < message.length) {
    const character = message[at];
    if (character === "'" && /[{}]/.test(message[at + 1] ?? '')) {
      const quoteEnd = message.indexOf("'", at + 1);
      if (quoteEnd < 0) throw new Error(`has a quote without an end at ${at}`);
      at = quoteEnd + 1;
    } else if (character === '{') {
      at = readArgument(message, at + 1, found);
    } else if (character === '}') {
      return at;
    } else {
      at++;
    }
  }
  if (level > 0) throw new Error('has a { too many');
  return at;
}

/** Reads `name}`, `name, type}` or `name, plural, one {…} other {…}}`; returns where it ends. */
function readArgument(message: string, start: number, found: Set<string>): number {
  const head = /\s*(\w+)\s*(?:,\s*(\w+)\s*)?([,}])/y;
  head.lastIndex = start;
  const match = head.exec(message);
  if (!match) throw new Error(`has an argument without a name at ${start}`);
  const [, name = '', type, next] = match;
  found.add(name);
  if (next === '}') return head.lastIndex;
  if (!/^(?:plural|select|selectordinal)$/.test(type ?? '')) {
    const end = message.indexOf('}', head.lastIndex);
    if (end < 0) throw new Error('has a { too many');
    return end + 1;
  }
  return readChoices(message, head.lastIndex, found, name);
}

function readChoices(message: string, start: number, found: Set<string>, name: string): number {
  const choice = /\s*(?:offset:\d+\s*)?(=?\w+)\s*\{/y;
  const names: string[] = [];
  let at = start;
  for (;;) {
    choice.lastIndex = at;
    const match = choice.exec(message);
    if (!match) break;
    names.push(match[1] ?? '');
    at = readText(message, choice.lastIndex, found, 1) + 1;
  }
  if (!names.includes('other')) throw new Error(`has a choice by ${name} without other`);
  const end = /\s*\}/y;
  end.lastIndex = at;
  if (!end.test(message)) throw new Error(`has a choice by ${name} that does not end`);
  return end.lastIndex;
}
