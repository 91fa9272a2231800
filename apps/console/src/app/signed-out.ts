/** Session storage of a tab that leaves because another has signed out, for the page that it comes to. */
export const SIGNED_OUT_STORAGE_KEY = 'signed-out-elsewhere';
