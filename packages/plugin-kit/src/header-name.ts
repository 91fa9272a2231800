/** CGI, WSGI and PHP read `_` as `-` (RFC 3875 4.1.18): to them `Cordon_Country` is `Cordon-Country`. */
export const foldName = (name: string): string => name.toLowerCase().replaceAll('_', '-');
