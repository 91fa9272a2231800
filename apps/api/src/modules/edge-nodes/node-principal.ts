import type { MachinePrincipal } from '../../platform/auth.ts';

declare module '../../platform/auth.ts' {
  interface MachinePrincipal {
    readonly name: string;
    /** That the node serves. */
    readonly czones: readonly string[];
  }
}

/** An edge node, as the one that calls. */
export type NodePrincipal = MachinePrincipal;
