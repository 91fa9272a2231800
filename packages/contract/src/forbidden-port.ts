const FORBIDDEN_PORTS: ReadonlySet<number> = new Set([
  0, 19, 22, 23, 25, 53, 110, 111, 119, 135, 137, 139, 143, 179, 389, 445, 465, 514, 587, 873, 993, 995, 1433, 1521,
  2049, 3306, 3389, 5432, 6379, 11211, 27017,
]);

/**
 * Ports of services that are no web servers: a request there could be made to speak their protocol. The API and the
 * edge refuse to connect to them (security design, "Requests we make").
 */
export const isForbiddenPort = (port: number): boolean => FORBIDDEN_PORTS.has(port);
