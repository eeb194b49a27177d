/** The plugin's document without the one parameter that it puts into the path, where no validator takes it. */
export function withoutPassword<T>(document: T): T {
  const isPassword = (one: { name?: unknown } | null) => one?.name === 'password';
  return JSON.parse(
    JSON.stringify(document, (_, value: unknown) =>
      Array.isArray(value) ? value.filter((one) => !isPassword(one)) : value,
    ),
  ) as T;
}
