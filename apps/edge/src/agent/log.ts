type Fields = Readonly<Record<string, unknown>>;

function write(level: string, message: string, fields: Fields): void {
  const error = fields.error instanceof Error ? { error: fields.error.stack } : {};
  process.stderr.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), part: 'agent', message, ...fields, ...error })}\n`,
  );
}

/** One JSON line per event on standard error. */
export const log = {
  info: (message: string, fields: Fields = {}) => write('info', message, fields),
  warn: (message: string, fields: Fields = {}) => write('warn', message, fields),
  error: (message: string, fields: Fields = {}) => write('error', message, fields),
};
