import * as json from 'cjson.safe';
import { options } from './runner-options.ts';

/** Connecting to the agent, and sending: each. */
const WRITE_MS = 200;

/**
 * Asks the agent over its unix socket, and lets other requests run meanwhile; undefined: it has not answered in time.
 * The thread of a visitor who leaves ends in here, and what stands behind the call never runs.
 */
export function askAgent<Answer>(this: void, question: object, answerMs: number): Answer | undefined {
  const socket = ngx.socket.tcp();
  socket.settimeouts(WRITE_MS, WRITE_MS, answerMs);
  const [connected] = socket.connect(`unix:${options.agentSocket}`);
  if (connected === undefined) return undefined;
  socket.send(`${json.encode(question)}\n`);
  const [line] = socket.receive('*l');
  socket.close();
  return line === undefined ? undefined : json.decode<Answer>(line);
}

/** Questions of one kind that a worker may have under way at once: more would fill the agent. */
export interface QuestionPlaces {
  /** When the question of each ends at the latest, in Unix seconds. */
  readonly ends: number[];
  readonly answerMs: number;
}

export function newQuestionPlaces(count: number, answerMs: number): QuestionPlaces {
  const ends: number[] = [];
  for (let place = 0; place < count; place++) ends.push(0);
  return { ends, answerMs };
}

/** Which place is free; undefined: none. One whose visitor has left is when its question has ended at the latest. */
export function freePlace(this: void, { ends }: QuestionPlaces): number | undefined {
  const now = ngx.now();
  for (let place = 0; place < ends.length; place++) if ((ends[place] as number) <= now) return place;
  return undefined;
}

/** `askAgent` from a place that is free. */
export function askFrom<Answer>(
  this: void,
  { ends, answerMs }: QuestionPlaces,
  place: number,
  question: object,
): Answer | undefined {
  ends[place] = ngx.now() + (2 * WRITE_MS + answerMs) / 1000;
  const answer = askAgent<Answer>(question, answerMs);
  ends[place] = 0;
  return answer;
}
