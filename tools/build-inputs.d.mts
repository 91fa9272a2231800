export type Part = 'node' | 'edge' | 'console' | 'files';
export const buildInputs: Readonly<Record<Part, readonly string[]>>;
export const builtHashFile: string;
export function inputHash(root: string, part: Part): string;
export function staleParts(root: string): Part[];
export function readBuilt(root: string): Partial<Record<Part, string>>;
