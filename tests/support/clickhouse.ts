/** Rows of a query against the instance's ClickHouse, over its HTTP protocol. */
export async function clickhouseRows<Row>(clickhouseUrl: string, query: string): Promise<Row[]> {
  const url = new URL(clickhouseUrl);
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`;
  const database = url.pathname.slice(1);
  const response = await fetch(`${url.origin}/?database=${database}`, {
    method: 'POST',
    headers: { authorization },
    body: `${query} FORMAT JSONEachRow`,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
