/** Removes the parameter `password`, which the plugin's document puts into the path, where validators reject it. */
export function withoutPassword<T>(document: T): T {
  const isPassword = (one: { name?: unknown } | null) => one?.name === 'password';
  return JSON.parse(
    JSON.stringify(document, (_, value: unknown) =>
      Array.isArray(value) ? value.filter((one) => !isPassword(one)) : value,
    ),
  ) as T;
}
