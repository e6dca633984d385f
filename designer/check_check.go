package designer

import "github.com/berth-dev/berth/designer/clip"

func (o addCheck) check(r rules) *Error { return r.checkNewCheck(o).within("check") }

func (r rules) checkNewCheck(o addCheck) *Error {
	if o.spec.Expression == nil {
		return badRequest(nil, "check needs an expression").At("expression")
	}
	if err := r.s.dialect.checkExpression("expression of the check", *o.spec.Expression); err != nil {
		return err.At("expression")
	}
	name := o.spec.Name
	if name == nil || *name == "" {
		return nil
	}
	if err := r.s.dialect.checkName("Check", *name); err != nil {
		return err.At("name")
	}
	own := mapEach(o.table.Checks, func(k Check) string { return k.Name })
	if r.s.taken(checkName, o.table, own, *name) {
		return invalid("Check %s already exists", clip.Quote(*name)).At("name")
	}
	return nil
}

func (o dropCheck) check(rules) *Error { return nil }
