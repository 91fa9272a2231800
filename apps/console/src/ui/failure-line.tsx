import type { Failure } from './notices';

/** Why what a dialog was asked for was not done. */
export const FailureLine = ({ failure: { title, description } }: { failure: Failure }) => (
  <p role="alert" className="text-danger">
    {title}
    {description && <br />}
    {description}
  </p>
);
