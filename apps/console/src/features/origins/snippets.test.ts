import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressSnippet, FIREWALLS, firewallSnippet, lockSnippet, SERVERS } from './snippets';

const ADDRESSES = ['203.0.113.10', '2001:db8::10'];
const KEYS = ['M-cIIurEwd3UXW_u219P47rnMXowQJdZzNSRLCGjW90', 'QAUszv5myd6C-rmkU3at8XeXfeQAjWDnC74MjYsUpIc'];

/** Whether the server takes the text as (part of) its configuration. */
function nginxTakes(http: string): void {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-snippet-'));
  try {
    const file = join(dir, 'nginx.conf');
    writeFileSync(file, `pid ${dir}/pid;\nevents {}\nhttp {\n${http}\n}\n`);
    execFileSync('/usr/sbin/nginx', ['-t', '-q', '-e', 'stderr', '-p', dir, '-c', file], { stdio: 'pipe' });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe('settings for an origin', () => {
  it.each(SERVERS)('%s: trusts every address of ours, and knows both values while one is changed', (server) => {
    const trusting = addressSnippet(server, ADDRESSES);
    // IIS cannot trust by address: it writes the visitor beside the edge.
    for (const address of server === 'iis' ? [] : ADDRESSES) expect(trusting).toContain(address);
    expect(trusting).toMatch(/X.Real.IP|trust proxy/i);
    const locking = lockSnippet(server, KEYS);
    for (const key of KEYS) expect(locking).toContain(key);
    expect(lockSnippet(server, KEYS.slice(0, 1))).not.toContain(KEYS[1]);
  });

  it('are what nginx takes', () => {
    nginxTakes(addressSnippet('nginx', ADDRESSES));
    nginxTakes(lockSnippet('nginx', KEYS).replace('server {', 'server {\n  listen 127.0.0.1:9;'));
    expect(() => nginxTakes('nonsense;')).toThrow();
  });

  it('are JavaScript where they say so', () => {
    for (const text of [addressSnippet('node', ADDRESSES), lockSnippet('node', KEYS).replace(/^import .*$/m, '')])
      expect(() => new Function('app', 'timingSafeEqual', text)).not.toThrow();
  });

  it.each(FIREWALLS)('%s: lets only our addresses in on the ports, each family in its own place', (kind) => {
    const text = firewallSnippet(kind, ADDRESSES, [80, 443]);
    for (const address of ADDRESSES) expect(text).toContain(address);
    expect(text).toMatch(kind === 'ufw' ? /^ufw deny 443\/tcp$/m : /drop/i);
    const lines = text.split('\n');
    const linesOf = (family: RegExp) => lines.filter((line) => family.test(line.trim())).join('\n');
    expect(linesOf(/^iptables|ip saddr/)).not.toContain('2001:db8');
    expect(linesOf(/^ip6tables|ip6 saddr/)).not.toContain('203.0.113');
    expect(lines.findIndex((line) => /accept|allow/i.test(line))).toBeLessThan(
      lines.findIndex((line) => /drop|deny/i.test(line)),
    );
  });
});
