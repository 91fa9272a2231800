import { createHash } from 'node:crypto';

export interface Page {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

const TITLES: Readonly<Record<string, string>> = {
  '/': 'Welcome',
  '/about': 'About us',
  '/products': 'Products',
  '/products/lamp': 'Desk lamp',
  '/products/chair': 'Chair',
  '/blog': 'Blog',
  '/blog/2024-review': 'A look back',
  '/contact': 'Contact',
  '/login': 'Sign in',
};

const FILES: Readonly<Record<string, { type: string; content: string | Buffer }>> = {
  '/robots.txt': { type: 'text/plain', content: 'User-agent: *\nAllow: /\n' },
  '/assets/site.css': {
    type: 'text/css',
    content: `body{font:16px/1.5 sans-serif;margin:4rem}\n${'/* padding */\n'.repeat(300)}`,
  },
  '/assets/site.js': { type: 'text/javascript', content: `console.log('demo');\n${'// padding\n'.repeat(900)}` },
  '/assets/logo.svg': {
    type: 'image/svg+xml',
    content: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/></svg>\n',
  },
  '/assets/photo.jpg': { type: 'image/jpeg', content: Buffer.alloc(48 * 1024, 7) },
  '/api/products': { type: 'application/json', content: '{"products":["lamp","chair"]}\n' },
};

/** The page or file at a path; the site is named after the requested host. */
export function pageFor(path: string, host: string): Page | undefined {
  const file = FILES[path];
  if (file) return made(file.type, file.content);
  const title = TITLES[path];
  if (title === undefined) return undefined;
  const site = escapeHtml(host.replace(/:\d+$/, ''));
  const links = Object.entries(TITLES).map(([to, name]) => `<li><a href="${to}">${name}</a></li>`);
  return made(
    'text/html; charset=utf-8',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title} - ${site}</title><link rel="stylesheet" href="/assets/site.css"><h1>${title}</h1><p>${site}</p><ul>${links.join('')}</ul></html>\n`,
  );
}

function made(type: string, content: string | Buffer): Page {
  const body = Buffer.from(content as string);
  return { type, body, etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"` };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
