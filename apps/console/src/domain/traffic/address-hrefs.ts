const manageIp = (search: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `#/manage-ip?${new URLSearchParams(given as string[][])}`;
};

/** Opens the form that bans this address, from one domain or all. */
export const banHref = (address: string, domain?: string): string => manageIp({ add: 'true', address, domain });

/** Opens the form that lets this address pass all protection of the account. */
export const allowHref = (address: string): string => manageIp({ tab: 'allowed', add: 'true', address });
