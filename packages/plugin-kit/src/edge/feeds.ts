/** The feed of banned clients: where a `block` with `banSeconds` puts the client, of the route that refused it. */
export const BANS_FEED = 'bans';
