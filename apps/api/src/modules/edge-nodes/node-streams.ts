import type { FastifyReply } from 'fastify';
import type { Log } from '../../platform/log.ts';
import type { NodePrincipal } from './node-principal.ts';

/** The answers to nodes that are still being written. */
export interface NodeStreams {
  /** Takes the response out of the framework's hands, with the headers that hooks have set. Aborts when it is closed. */
  begin(reply: FastifyReply, type: string): AbortSignal;
  /** Writes a response that has begun. An error breaks the connection. */
  run(reply: FastifyReply, node: NodePrincipal, work: () => Promise<void>): Promise<void>;
  /** Breaks all of them. */
  stop(): void;
}

export function createNodeStreams(log: Log): NodeStreams {
  const open = new Set<FastifyReply>();
  let isStopping = false;
  return {
    begin(reply, type) {
      const end = new AbortController();
      reply.hijack();
      reply.raw.on('close', () => end.abort());
      const headers = Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined));
      reply.raw.writeHead(200, {
        ...(headers as Record<string, string>),
        'content-type': type,
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      reply.raw.flushHeaders();
      return end.signal;
    },
    async run(reply, node, work) {
      open.add(reply);
      try {
        await work();
      } catch (err) {
        // The answer has begun: breaking the connection is the only way to say that it is not whole.
        if (!reply.raw.destroyed && !isStopping) log.warn({ err, node: node.name }, 'a stream to a node ended early');
        reply.raw.destroy();
      } finally {
        open.delete(reply);
        reply.raw.end();
      }
    },
    stop() {
      isStopping = true;
      for (const reply of open) reply.raw.destroy();
    },
  };
}
