import type { Failure } from './notices';
import { RequestId } from './request-id';

/** Why what a dialog was asked for was not done. */
export const FailureLine = ({ failure: { title, description, requestId } }: { failure: Failure }) => (
  <p role="alert" className="text-danger">
    {title}
    {description && <br />}
    {description}
    {requestId && <br />}
    {requestId && <RequestId id={requestId} />}
  </p>
);
