import { SIGNATURE_ARGUMENT, TIME_ARGUMENT } from './link.ts';

/** A program that signs a link with the secret in the environment variable LINK_SECRET, and prints it. */
export interface Sample {
  readonly id: 'bash' | 'javascript' | 'python' | 'php' | 'perl';
  readonly name: string;
  readonly code: string;
}

const EXAMPLE_PATH = '/download/report%202026.pdf';

/** The form shows these, and the tests run them. `path` is of the characters that links have: no quotes, `$` or backslashes. */
export const samples = (path = EXAMPLE_PATH): readonly Sample[] => [
  {
    id: 'bash',
    name: 'Bash',
    code: `path='${path}'
ts=$(date +%s)
sig=$(printf '%s\\n%s' "$path" "$ts" | openssl dgst -sha256 -hmac "$LINK_SECRET" -r | cut -d' ' -f1)
echo "$path?${TIME_ARGUMENT}=$ts&${SIGNATURE_ARGUMENT}=$sig"`,
  },
  {
    id: 'javascript',
    name: 'JavaScript (Node.js)',
    code: `const { createHmac } = require('node:crypto');

const path = '${path}';
const ts = Math.floor(Date.now() / 1000);
const sig = createHmac('sha256', process.env.LINK_SECRET).update(\`\${path}\\n\${ts}\`).digest('hex');
console.log(\`\${path}?${TIME_ARGUMENT}=\${ts}&${SIGNATURE_ARGUMENT}=\${sig}\`);`,
  },
  {
    id: 'python',
    name: 'Python',
    code: `import hashlib, hmac, os, time

path = '${path}'
ts = int(time.time())
secret = os.environ['LINK_SECRET'].encode()
sig = hmac.new(secret, f'{path}\\n{ts}'.encode(), hashlib.sha256).hexdigest()
print(f'{path}?${TIME_ARGUMENT}={ts}&${SIGNATURE_ARGUMENT}={sig}')`,
  },
  {
    id: 'php',
    name: 'PHP',
    code: `<?php
$path = '${path}';
$ts = time();
$sig = hash_hmac('sha256', "$path\\n$ts", getenv('LINK_SECRET'));
echo "$path?${TIME_ARGUMENT}=$ts&${SIGNATURE_ARGUMENT}=$sig\\n";`,
  },
  {
    id: 'perl',
    name: 'Perl',
    code: `use Digest::SHA 'hmac_sha256_hex';

my $path = '${path}';
my $ts = time;
my $sig = hmac_sha256_hex("$path\\n$ts", $ENV{LINK_SECRET});
print "$path?${TIME_ARGUMENT}=$ts&${SIGNATURE_ARGUMENT}=$sig\\n";`,
  },
];
