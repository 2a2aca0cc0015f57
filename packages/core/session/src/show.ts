/** A value as it stands in a message: JSON where it has a JSON form, cut short. Never throws. */
export function show(value: unknown): string {
  const text = typeof value === 'number' ? number(value) : json(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function json(value: unknown): string {
  try {
    // Neither undefined nor a function has a JSON form.
    return JSON.stringify(value) ?? String(value)
  } catch {
    return `a ${typeof value} that is no JSON`
  }
}

/** JSON has neither -0 nor NaN, and both would look like something else. */
function number(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
