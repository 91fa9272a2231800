import type { PluginPart, RouteConfig } from '@cordon/contract';

/** A configuration that sets nothing but the plugins, to be compared with another of the kind. */
export const pluginConfig = ({ traffic_action, plugins }: PluginPart): RouteConfig => ({
  traffic_action,
  upstreams: { protocol: 'http', targets: [], connection_limit: 0, tls_verification: 'strict', tls_ca: null },
  plugins,
});
