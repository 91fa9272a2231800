export function installPackages(root: string): boolean;
export function isInstalled(root: string): boolean;
