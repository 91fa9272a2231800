import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../tests/support/free-ports.ts';
import type { Instance } from '../../tests/support/instance.ts';

/** An agent with its nginx, beside the one of the instance. */
export interface MoreNode {
  readonly name: string;
  readonly http: number;
  /** Its own folder, with nginx's cache. */
  readonly dir: string;
  readonly process: ChildProcess;
}

/** Adds a node to the czone `vip01`, as an operator does. */
export async function addNode(
  instance: Instance,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<MoreNode> {
  const credential = await instance.operator('node', 'add', '--name', name, '--czones', 'vip01', '--reason', 'bench');
  const [http = 0, https = 0, agent = 0] = await freePorts(3);
  const dir = mkdtempSync(join(tmpdir(), 'cordon-node-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/edge/agent.js')], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      ...environment,
      CORDON_CONTROL_URL: `http://127.0.0.1:${instance.ports.api}`,
      CORDON_NODE_CREDENTIAL: credential.trim(),
      CORDON_NODE_NAME: name,
      CORDON_EDGE_DIR: dir,
      CORDON_EDGE_HTTP_PORT: String(http),
      CORDON_EDGE_HTTPS_PORT: String(https),
      CORDON_AGENT_PORT: String(agent),
    },
  });
  return { name, http, dir, process: child };
}

/** Ends it, and takes its folder away. */
export async function removeNode({ process: child, dir }: MoreNode): Promise<void> {
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  await over;
  rmSync(dir, { recursive: true, force: true });
}
