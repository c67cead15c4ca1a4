// Must be imported before any schema is made: zod would probe `new Function`, which the worker's CSP reports.
import {z} from "zod";

z.config({jitless: true});
