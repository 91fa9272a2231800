/* Answers the hidden frame of the session check: oidc-client-ts listens for exactly this message in the page around it. */
window.parent.postMessage(
  { source: 'oidc-client', url: window.location.href, keepOpen: false },
  window.location.origin,
);
