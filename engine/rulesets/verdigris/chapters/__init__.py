"""The chapters that only Verdigris has, one module each."""
