import { shutdownDescriptor } from './native.ts';
import type { RunnerShieldNode } from './payload.ts';
import { recur } from './recurring.ts';
import { originDescriptor } from './request-body.ts';
import { asking, nameOf } from './shield-fetch.ts';
import { noteDown } from './shield-state.ts';

/**
 * Shields that have stopped to answer without closing connections, as where a machine is gone. nginx would wait for them as long as for an
 * origin, and knows no other sign of life: here a shield that lets requests wait is asked for a handshake, and where it gives none, the
 * requests are taken away from it.
 */
const SLOW_SECONDS = 0.25;
const HANDSHAKE_MS = 400;

const probed = new LuaSet<string>();

function isAnswering({ address, port }: RunnerShieldNode, name: string): boolean {
  const socket = ngx.socket.tcp();
  socket.settimeouts(HANDSHAKE_MS, HANDSHAKE_MS, HANDSHAKE_MS);
  const [isConnected] = socket.connect(address, port);
  // Who it is does not matter: it is told nothing.
  const [isReady] = isConnected === undefined ? [false] : socket.sslhandshake(false, name, false);
  socket.close();
  return isReady === true;
}

function takeAway(shield: string): void {
  noteDown(shield);
  for (const [, { node, request, isAnswered }] of asking) {
    const isWaiting = node !== undefined && nameOf(node) === shield && !isAnswered;
    const descriptor = isWaiting && request !== undefined ? originDescriptor(request) : undefined;
    if (descriptor !== undefined) shutdownDescriptor(descriptor);
  }
}

function probe(node: RunnerShieldNode, name: string): void {
  const shield = nameOf(node);
  probed.add(shield);
  // It waits, and what else is done again and again does not.
  ngx.thread.spawn(() => {
    if (!isAnswering(node, name)) takeAway(shield);
    probed.delete(shield);
  });
}

function watch(this: void): void {
  const before = ngx.now() - SLOW_SECONDS;
  for (const [, { node, shields, askedAt, isAnswered }] of asking) {
    const isSlow = node !== undefined && !isAnswered && askedAt < before;
    if (isSlow && !probed.has(nameOf(node))) probe(node, shields.name);
  }
}

/** `init_worker_by_lua`. */
export function watchShields(): void {
  recur(1, watch);
}
