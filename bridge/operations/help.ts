// capabilities: the registry, told to whoever asks. The list, one operation in full, or a topic.
import {ERRORS, SubletError} from "../../shared/errors.ts";
import type {Operation} from "../../shared/operation.ts";
import type {OperationFacts} from "../../shared/operations/help.ts";
import {type Input, type Output, operationNamed, operations} from "../../shared/operations/index.ts";
import {readableSchema} from "../help/schema.ts";
import {topics} from "../help/topics.ts";
import {nearestNames} from "../run.ts";

export const helpHandlers = {
  async capabilities({name}: Input<"capabilities">): Promise<Output<"capabilities">> {
    if (name === undefined) return {operations: operations.map(summary), topics: Object.keys(topics)};
    // The CLI's spelling of a name is as good as any other.
    const operation = operationNamed(name.replaceAll("-", "_"));
    if (operation !== undefined) return {operation: factsOf(operation)};
    const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
    if (topic !== undefined) return {topic: name, text: topic()};
    throw new SubletError("unknown_capability", `there is no operation or topic ${JSON.stringify(name)}`, {
      candidates: [...nearestNames(name), ...Object.keys(topics)],
    });
  },
};

/** All about one operation, as the reference page and `capabilities` tell it. */
export function factsOf(operation: Operation): OperationFacts {
  return {
    ...summary(operation),
    description: operation.description,
    input: readableSchema(operation.input, "input"),
    output: readableSchema(operation.output, "output"),
    errors: operation.errors.map((code) => {
      const {kind, recoverable, hint} = ERRORS[code];
      return {code, kind, recoverable, hint};
    }),
    examples: operation.examples.map(({input, says}) => ({input, says})),
  };
}

const summary = ({name, title, effect, where}: Operation) => ({name, title, effect, where});
