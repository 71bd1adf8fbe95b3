import { argumentsOf, type Tool } from '../tool-catalogue.ts'

/** Returns a tool for Anthropic's Messages API: a full JSON Schema under `input_schema`. */
export const anthropicTool = (tool: Tool) => ({
  name: tool.name,
  description: tool.description,
  input_schema: argumentsOf(tool)
})
