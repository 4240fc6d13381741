"""Requests that judges and organisers can make to a running campaign."""
