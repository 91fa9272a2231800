/** How a message uses an argument: shows its value, or only chooses words by it. */
export type ArgumentUse = 'shown' | 'chooses';

/** Where one argument `{name, plural, ...}` ends; `at` is its opening brace. */
function endOf(message: string, at: number): number {
  let depth = 0;
  for (let index = at; index < message.length; index += 1) {
    if (message[index] === '{') depth += 1;
    if (message[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return message.length;
}

/** Arguments and tags of an ICU message, those inside plural and select branches too. */
export function argumentsOf(message: string): Map<string, ArgumentUse> {
  const uses = new Map<string, ArgumentUse>();
  const add = (name: string, use: ArgumentUse) => {
    if (uses.get(name) !== 'shown') uses.set(name, use);
  };
  for (const match of message.matchAll(/<(\w+)>/g)) add(`<${match[1]}>`, 'shown');
  for (let at = message.indexOf('{'); at >= 0; at = message.indexOf('{', at)) {
    const end = endOf(message, at);
    const inner = message.slice(at + 1, end);
    const [head = '', kind = ''] = inner.split(',');
    const isChoice = /^\s*(plural|select|selectordinal)\s*$/.test(kind);
    add(head.trim(), isChoice && !inner.includes('#') ? 'chooses' : 'shown');
    for (let open = isChoice ? inner.indexOf('{') : -1; open >= 0; ) {
      const close = endOf(inner, open);
      for (const [name, use] of argumentsOf(inner.slice(open + 1, close))) add(name, use);
      open = inner.indexOf('{', close);
    }
    at = end;
  }
  return uses;
}
