/* A part of the script in the page: imports nothing that is larger than itself. */

const TIMEOUT_MS = 10_000;
/** What `silent.ts` calls its message. */
export const SILENT_ANSWER = 'silent-sign-in';

/** Asks the provider in a hidden frame; answers the address that it sent the frame to. Rejects after ten seconds. */
export function askInFrame(address: string): Promise<string> {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = SILENT_ANSWER;
  frame.src = address;
  const answer = new Promise<string>((resolve, reject) => {
    const onMessage = ({ origin, source, data }: MessageEvent<{ source?: string; url?: string } | null>) => {
      if (origin !== location.origin || source !== frame.contentWindow || data?.source !== SILENT_ANSWER) return;
      stop();
      resolve(data.url ?? '');
    };
    const timer = setTimeout(() => {
      stop();
      reject(new Error('The provider did not answer in the frame'));
    }, TIMEOUT_MS);
    const stop = () => {
      removeEventListener('message', onMessage);
      clearTimeout(timer);
      frame.remove();
    };
    addEventListener('message', onMessage);
  });
  // The head's script asks before there is a body.
  (document.body ?? document.documentElement).append(frame);
  return answer;
}
