/** Address prefixes (the last part is drawn) with a weight: where the demo's visitors seem to come from. */
const ORIGINS: readonly (readonly [prefix: string, weight: number])[] = [
  ['8.8.8.', 12], // US
  ['73.162.10.', 12], // US
  ['114.114.114.', 14], // CN
  ['223.5.5.', 8], // CN
  ['133.242.0.', 6], // JP
  ['168.126.63.', 4], // KR
  ['168.95.1.', 3], // TW
  ['203.80.96.', 3], // HK
  ['194.25.0.', 6], // DE
  ['46.4.10.', 3], // DE
  ['80.10.246.', 5], // FR
  ['81.2.69.', 5], // GB
  ['145.97.20.', 3], // NL
  ['151.1.1.', 2], // IT
  ['80.58.61.', 3], // ES
  ['81.226.10.', 2], // SE
  ['194.204.159.', 2], // PL
  ['195.186.1.', 1], // CH
  ['77.88.8.', 4], // RU
  ['195.175.39.', 2], // TR
  ['213.42.20.', 1], // AE
  ['164.100.78.', 6], // IN
  ['203.162.4.', 2], // VN
  ['202.134.0.', 2], // ID
  ['1.128.0.', 3], // AU
  ['24.48.0.', 3], // CA
  ['189.203.0.', 2], // MX
  ['200.160.0.', 4], // BR
  ['200.45.191.', 1], // AR
  ['196.25.1.', 2], // ZA
  ['163.121.128.', 1], // EG
  ['197.210.0.', 1], // NG
  ['2001:4860:4860::', 2], // US
  ['2a01:4f8:10a::', 2], // DE
];

const WEIGHTS = ORIGINS.reduce((sum, [, weight]) => sum + weight, 0);

/** Refused by the demo's ip-restriction: these visitors are the blocked ones on the dashboard. */
export const UNWELCOME = ['185.220.101.0/24', '45.155.205.0/24', '193.32.162.0/24'] as const;

/** Who tries passwords out, again and again, until the demo's request-limit bans them. */
export const GUESSERS = ['185.220.101.7', '45.155.205.33', '193.32.162.80', '185.220.101.124'] as const;

/** A visitor's address; about one in `unwelcomeOneIn` from an unwelcome range. */
export function visitorAddress(random: () => number, unwelcomeOneIn: number): string {
  if (random() < 1 / unwelcomeOneIn) {
    const range = UNWELCOME[Math.floor(random() * UNWELCOME.length)] ?? UNWELCOME[0];
    return range.replace(/0\/24$/, String(1 + Math.floor(random() * 254)));
  }
  let at = random() * WEIGHTS;
  const prefix = ORIGINS.find(([, weight]) => {
    at -= weight;
    return at < 0;
  })?.[0];
  return `${prefix ?? '8.8.8.'}${(1 + Math.floor(random() * 254)).toString(prefix?.includes(':') ? 16 : 10)}`;
}
