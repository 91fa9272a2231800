/** The feed of banned clients: where a `block` with `banSeconds` puts the client, of the route that refused it. */
export const BANS_FEED = 'bans';

/** The feed of clients that pass all protection, bans too: an entry in it makes a ban inside it void. */
export const ALLOWED_FEED = 'allowed';

/** The feed of domains whose visitors have to prove themselves for a while, all of them. */
export const ATTACK_FEED = 'under-attack';

/** The feed of domains in development mode, of no plugin: their requests pass by the cache for a while. */
export const DEVELOPMENT_FEED = 'development';

/** The network of an entry that is no client's, but a switch of its scope. */
export const SWITCH_NETWORK = '0.0.0.0/0';
/** An address by which such an entry is found. */
export const SWITCH_ADDRESS = '0.0.0.0';

/**
 * Bans by plugins that an account may have at a time: of all nodes in the control plane, and beside these of each node alone.
 * Nodes hold all accounts' bans in one memory (`CORDON_EDGE_FEEDS_MB`), so free accounts get a small part.
 */
export const NODE_BANS_MAX = { free: 1000, vip: 20_000 };
