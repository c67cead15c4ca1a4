// Where a value is taken for more than the compiler knows, and how often: at a parsed boundary, or where a type is
// built by name from the very list that its values come from. A new one needs a reason; one that is gone leaves the list.

export const assertions: Readonly<Record<string, number>> = {};
