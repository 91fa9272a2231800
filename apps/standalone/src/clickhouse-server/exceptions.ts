/** An answer that carries a ClickHouse error code; see ErrorCodes.cpp of ClickHouse for the numbers. */
export class ClickHouseException extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message.startsWith('Code: ') ? message : `Code: ${code}. DB::Exception: ${message}`);
    this.name = 'ClickHouseException';
  }
}

const STATUS_BY_CODE: Readonly<Record<number, number>> = {
  // Unknown things: table, function, identifier, type, storage, format, database, setting, query parameter.
  16: 404,
  46: 404,
  47: 404,
  50: 404,
  56: 404,
  60: 404,
  73: 404,
  81: 404,
  115: 404,
  // Faulty input: arguments, parsing, types, syntax, substitution.
  6: 400,
  7: 400,
  26: 400,
  27: 400,
  36: 400,
  38: 400,
  41: 400,
  42: 400,
  43: 400,
  53: 400,
  62: 400,
  69: 400,
  70: 400,
  72: 400,
  117: 400,
  130: 400,
  456: 400,
  457: 400,
  159: 408,
  202: 503,
  516: 403,
};

/** The HTTP status that ClickHouse's own server answers for an error code. */
export function statusOf(code: number): number {
  return STATUS_BY_CODE[code] ?? 500;
}

/** Makes a ClickHouseException of whatever the engine threw. */
export function asException(error: unknown): ClickHouseException {
  if (error instanceof ClickHouseException) return error;
  const message = error instanceof Error ? error.message : String(error);
  const native = (error as { clickhouseCode?: unknown }).clickhouseCode;
  const code = typeof native === 'number' ? native : Number(/^Code: (\d+)/.exec(message)?.[1] ?? 1001);
  return new ClickHouseException(code, message);
}
