import type { Failure } from './notices';
import { joinSentences } from './sentences';

/** Why what a dialog was asked for was not done. */
export const FailureLine = ({ failure: { title, description } }: { failure: Failure }) => (
  <p role="alert" className="text-danger">
    {joinSentences([title, description])}
  </p>
);
